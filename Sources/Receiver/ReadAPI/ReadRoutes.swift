/// What is stored: the routes over the read model.
package enum ReadRoutes {
    package static let all: [APIRoute] = []
}
