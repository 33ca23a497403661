package import Samples

/// Who data is about, and the clock their days follow.
package struct Person: Equatable, Sendable {
    /// As in `receiver.json` and the view `samples`.
    package var name: String
    /// A name of the time zone database: of the person's first endpoint by name.
    package var zoneName: String
    package var zone: ZoneRules

    package init(name: String, zoneName: String, zone: ZoneRules) {
        self.name = name
        self.zoneName = zoneName
        self.zone = zone
    }
}

/// What recorded samples: an app, a device, or both. Equal names are one source, whichever phone sent them.
package struct SourceName: Hashable, Sendable {
    package var app: String?
    package var device: String?

    package init(app: String?, device: String?) {
        self.app = app
        self.device = device
    }
}

/// How a source is ranked before anyone set an order.
package enum SourceClass: Int, Comparable, Sendable {
    case watch, phone, other

    package static func < (left: SourceClass, right: SourceClass) -> Bool { left.rawValue < right.rawValue }
}
