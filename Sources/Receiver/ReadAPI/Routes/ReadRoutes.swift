/// What is stored: the routes over the read model.
///
/// A type that a person has nothing of is no fault: it may come tomorrow, and its answer is an empty list.
package enum ReadRoutes {
    package static let all: [APIRoute] = [
        types, samples, latest, buckets, sources, sleep, workouts, gpx, geoJSON, workout, activity, changes,
        document,
    ]
}
