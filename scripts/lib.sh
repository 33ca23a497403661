# Shared by the scripts beside it: `. scripts/lib.sh`, from the top of the checkout. Plain sh.

# What the build needs, as packages of Debian and Ubuntu, and what the printed link needs to have a QR code too. Without
# pkg-config the build works all the same, under warnings that ask for packages which are there.
build_packages="libssl-dev libsqlite3-dev zlib1g-dev pkg-config"
qr_package="libqrencode4"
# What tests need beyond that: the rules of time zones, and a clock that stands where a test wants it.
zone_package="tzdata"
clock_package="libfaketime"

say() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
}

# fail STATUS SENTENCE: status 69 is "something that is needed can't be had", as in sysexits(3).
fail() {
    status=$1
    shift
    say "$*"
    exit "$status"
}

# A Swift toolchain of at least 6.3, or a sentence that says where to get one.
need_swift() {
    where="Install the toolchain for this system from https://www.swift.org/install/linux/, so that \`swift --version\` works, and run this again."
    command -v swift >/dev/null 2>&1 || fail 69 "Swift 6.3 or later is needed and there is no \`swift\` in PATH. $where"
    banner=$(swift --version 2>&1) || fail 69 "Swift 6.3 or later is needed and this one doesn't start: $banner. The page" \
        "https://www.swift.org/install/linux/ names the packages that a toolchain needs."
    version=$(printf '%s\n' "$banner" | sed -n 's/.*Swift version \([0-9][0-9]*\.[0-9][0-9]*\).*/\1/p' | head -n 1)
    major=${version%%.*}
    minor=${version#*.}
    if [ "${major:-0}" -lt 6 ] || { [ "$major" -eq 6 ] && [ "${minor:-0}" -lt 3 ]; }; then
        fail 69 "Swift 6.3 or later is needed and this is Swift ${version:-of an unknown version}. $where"
    fi
}

# Those of the given packages that are not installed.
missing_packages() {
    for package in "$@"; do
        state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) || state=absent
        [ "$state" = installed ] || printf '%s ' "$package"
    done
}

# need_packages PACKAGE…: installs those that are missing, with sudo when not root; does nothing when none is.
need_packages() {
    if ! command -v apt-get >/dev/null 2>&1; then
        need_files_of_packages
        return
    fi
    missing=$(missing_packages "$@")
    [ -n "$missing" ] || return 0
    if [ "$(id -u)" -eq 0 ]; then
        install_packages "" "$missing"
    elif command -v sudo >/dev/null 2>&1; then
        install_packages sudo "$missing"
    else
        say "this user may not install packages: as root, apt-get install ${missing% }"
    fi
    needed=""
    for package in $(missing_packages "$@"); do
        case $package in
        "$qr_package") say "going on without $package: the setup link is printed without its QR code" ;;
        "$clock_package") say "going on without $package: the tests at the guide's clock are skipped" ;;
        *) needed="$needed $package" ;;
        esac
    done
    [ -z "$needed" ] || fail 69 "These packages are missing:$needed."
}

# install_packages SUDO PACKAGES
install_packages() {
    say "installing ${2% }${1:+ with sudo}"
    # A fresh system or container has no package lists at all, an old one has stale ones.
    $1 apt-get update -q >&2 || say "apt-get update failed; trying with the package lists that are here"
    # shellcheck disable=SC2086 # a list of names
    $1 env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $2 >&2 || true
}

# Where there is no apt: go on when the headers are there, else say what they are called elsewhere.
need_files_of_packages() {
    for header in openssl/ssl.h sqlite3.h zlib.h; do
        [ -e "/usr/include/$header" ] || fail 69 "This system has no apt-get and /usr/include/$header is missing." \
            "Install OpenSSL 3, SQLite 3.37 or later and zlib with their headers, and libqrencode for the QR code" \
            "(Fedora: openssl-devel sqlite-devel zlib-devel qrencode-libs; Arch: openssl sqlite zlib qrencode), and run this again."
    done
}

# Builds the release executable, its Swift runtime linked in, and sets `server` to its path.
build_release() {
    say "building the release executable (minutes the first time, seconds after that)"
    swift build -c release --static-swift-stdlib --product server >&2
    server=$(swift build -c release --static-swift-stdlib --product server --show-bin-path)/server
}
