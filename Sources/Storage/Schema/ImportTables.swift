/// How far an import came.
extension Tables {
    static let imports: [String] = []
}
