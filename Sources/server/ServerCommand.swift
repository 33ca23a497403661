@main
struct ServerCommand {
    static func main() {}
}
