#!/bin/sh
# Writes Sources/Samples/Catalog/HealthNames.swift from the three CSV files of a HealthKit data folder:
# category-types.csv, category-values.csv and characteristics.csv. Only columns in front of the quoted ones are read.
set -eu
[ $# -eq 1 ] || { echo "usage: $0 FOLDER" >&2; exit 64; }
root=$(cd "$(dirname "$0")/.." && pwd)
target=$root/Sources/Samples/Catalog/HealthNames.swift
mkdir -p "$(dirname "$target")"

# Prints "key: word word …", as many lines a key as 112 columns ask for; input is "key word", sorted by key.
wrap='{ if ($1 != key || length(line) + length($2) + 1 > 106) { if (line) print "        " line; key = $1; line = $1 ":" }
        line = line " " $2 } END { if (line) print "        " line }'

{
    echo '// Made by scripts/make-health-names.sh: change the script or its data, not this file.'
    echo
    echo '/// Names and raw values of HealthKit as text: a key, a colon and its words a line, long lists over several lines.'
    echo 'enum HealthNames {'
    echo '    /// Enumeration, then the category types that take its values, other names of a type included.'
    echo '    static let categoryTypes = """'
    awk -F, 'NR > 1 { e = $4; sub(/^HKCategoryValue/, "", e); if (e == "") e = "Any"; print e, $2
        n = split($7, names, "|"); for (i = 1; i <= n; i++) print e, names[i] }' "$1/category-types.csv" |
        LC_ALL=C sort | awk "$wrap"
    echo '        """'
    echo
    echo '    /// Enumeration, then `name=raw`, deprecated names included.'
    echo '    static let categoryValues = """'
    awk -F, 'NR > 1 { e = $1; sub(/^HKCategoryValue/, "", e); if (e == "") e = "Any"; print e, $3 "=" $2
        n = split($6, names, "|"); for (i = 1; i <= n; i++) print e, names[i] "=" $2 }' "$1/category-values.csv" |
        LC_ALL=C sort -s -k1,1 | awk "$wrap"
    echo '        """'
    echo
    echo '    /// Characteristic, then `name=raw`.'
    echo '    static let characteristics = """'
    awk -F, 'NR > 1 && $3 != "" { print $2, $4 "=" $3 }' "$1/characteristics.csv" |
        LC_ALL=C sort -s -k1,1 | awk "$wrap"
    echo '        """'
    echo '}'
} > "$target"
