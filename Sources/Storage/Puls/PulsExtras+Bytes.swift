import Samples

extension BatchExtras {
    /// What it holds in memory beside samples, near enough for a bound.
    var queueBytes: Int {
        switch self {
        case .puls(let extras):
            extras.routePoints.count * MemoryLayout<RoutePointRecord>.stride
                + extras.curvePoints.count * MemoryLayout<CurvePointRecord>.stride
                + extras.aggregates.count * MemoryLayout<AggregateRecord>.stride
        case .relay(let extras): extras.days.count * MemoryLayout<RelayExtras.Day>.stride
        case .steps, .imported: 0
        }
    }
}
