import Samples
import Signing
import Storage
import Transport
import Wire

/// One request to an endpoint, from a right token to its answer.
///
/// Order of the checks: signature over the raw body, replay, what the headers say, then the body's meaning.
struct HookRequest: PendingRequest {
    /// Bodies past this are worked on away from the I/O threads, which they would hold up for a millisecond and more.
    private static let inlineBodyBytes = 256 << 10

    let service: HookService
    let endpoint: Endpoint
    /// Of the endpoints, when the head came.
    let revision: Int
    let fields: Fields
    let client: SocketAddress
    /// On the monotonic clock, in microseconds.
    let startedAt: Int64
    let limits: Limits
    let rejectsReplays: Bool
    let role: SenderRole
    /// What the sender's contract has of its own.
    let sender: Sender
    let scope: SenderScope
    /// Makes a guest's answer of success; nil for Syncky.
    let succeed: (@Sendable (StoreOutcome, _ isTest: Bool) -> Response)?
    var encoding = BodyEncoding.plain
    /// The clock of the endpoint's time zone.
    let zone: ZoneRules
    /// Hashes the body while it arrives.
    let signatureCheck: SignatureCheck

    var isDelivery: Bool { true }

    func take(_ piece: Span<UInt8>) { signatureCheck.add(piece) }

    func finish(body: PaddedBytes, answer: @escaping @Sendable (Answer) -> Void) {
        if body.count > Self.inlineBodyBytes || body.isMapped || encoding.isWrapped {
            service.workers.run { process(body, answer) }
        } else {
            process(body, answer)
        }
    }

    func refuse(_ fault: HTTPFault) -> Answer {
        if isKnown {
            log(status: fault.status, code: fault.code, bodyBytes: 0)
        } else {
            service.countStranger(client, fault.status)
        }
        return Answer(sender.refusal(Refusal(fault)), closes: true)
    }

    /// The endpoint wants a signature and the head has none, or several: known before the body is asked for.
    var lacksSignature: Bool {
        !endpoint.credentials.secrets.isEmpty
            && (fields.values("x-syncky-timestamp").count != 1 || fields.values("x-syncky-signature").count != 1)
    }

    /// A right token was shown. Without one anybody may speak until the signature is checked, and would fill the log.
    private var isKnown: Bool { endpoint.credentials.scheme != .none }

    func refuseSignature(bodyBytes: Int) -> Answer {
        let answer = service.refuseCredentials(client, sender, code: "signature", message: signatureRefusal)
        if isKnown { log(status: answer.response.status, code: "signature", bodyBytes: bodyBytes) }
        return answer
    }

    private var signatureRefusal: String {
        guard role.isGuest, lacksSignature else { return "The signature is not right." }
        return "This endpoint takes signed requests alone, and this sender can't sign: "
            + "it needs an endpoint made with server add NAME --format \(endpoint.format.rawValue) --no-sign."
    }

    private func process(_ body: PaddedBytes, _ answer: @escaping @Sendable (Answer) -> Void) {
        let signature: Signature?
        switch signatureCheck.verdict(
            nowSeconds: service.clock.wallSeconds, windowSeconds: Int64(limits.clockWindowSeconds))
        {
        case .unsigned: signature = nil
        case .accepted(let accepted, _): signature = accepted.used(at: endpoint.name)
        case .missing, .malformed, .mismatch:
            return answer(refuseSignature(bodyBytes: body.count))
        case .clock(let difference):
            log(status: 401, code: "timestamp", bodyBytes: body.count)
            return answer(Answer(clockRefusal(differenceSeconds: difference)))
        }
        proceed(with: body, signature, answer)
    }

    /// Takes the signature for this request, waiting where another request has it, and acts.
    private func proceed(
        with body: PaddedBytes, _ signature: Signature?, _ answer: @escaping @Sendable (Answer) -> Void
    ) {
        if let refusal = refusalByNow(signedBody: body, bodyBytes: body.count) { return answer(refusal) }
        if let signature {
            let claim = service.usedSignatures.claim(signature, nowSeconds: service.clock.wallSeconds) {
                service.workers.run { proceed(with: body, signature, answer) }
            }
            switch claim {
            case .granted: break
            case .waiting: return
            case .used:
                let status = rejectsReplays ? 401 : 204
                let response: Response =
                    rejectsReplays
                    ? sender.refusal(
                        Refusal(status: 401, code: "replayed", message: "This signature was used before.")) : .empty
                return leaveRow(status: status, code: "replayed", bodyBytes: body.count) { answer(Answer(response)) }
            }
        }
        // The signature is free or used before the answer goes out: who asks again then finds it so.
        act(on: body) { [service] result, isStored in
            if let signature {
                service.usedSignatures.release(
                    signature, isStored: isStored, nowSeconds: service.clock.wallSeconds)
            }
            answer(result)
        }
    }

    private func act(
        on raw: PaddedBytes, _ answer: @escaping @Sendable (Answer, _ isStored: Bool) -> Void
    ) {
        let body: PaddedBytes
        do throws(HTTPFault) { body = try unwrap(raw) } catch { return refuse(error, bodyBytes: raw.count, answer) }
        do throws(DecodeFault) {
            if ResultsHeaders.areNamed(in: fields) { return try takeResults(body, answer) }
            let delivery = try DeliveryHeaders(fields, from: role)
            try checkDevice(delivery.destination)
            if body.isMapped { return storeLarge(body, delivery, bodyBytes: raw.count, answer) }
            let decoded = try delivery.dialect.decode(body, decodeContext(delivery))
            if let fault = scope.bodyFault { throw fault }
            try checkDevice(decoded.device)
            if let named = decoded.deliveryID, let id = delivery.id, named != Array(id.utf8) {
                service.log.log(
                    .warning, "the body names another delivery than X-Syncky-Delivery; the header counts",
                    [("endpoint", .text(endpoint.name)), ("delivery", .text(id))])
            }
            store(decoded, delivery, bodyBytes: raw.count, answer)
        } catch {
            refuse(error, bodyBytes: raw.count, answer)
        }
    }

    /// What others put under PulsHealth's device would stand in the way of that app's own samples.
    private func checkDevice(_ named: [UInt8]?) throws(DecodeFault) {
        guard scope.device == nil, named == PulsUser.device else { return }
        throw DecodeFault(code: "device_kept", message: "The device name PulsHealth is kept for that app's samples.")
    }

    private func unwrap(_ raw: PaddedBytes) throws(HTTPFault) -> PaddedBytes {
        let body = try encoding.unwrap(raw, limitBytes: limits.maximumLargeBodyBytes, spool: service.spool)
        if let fault = sender.emptyBody, body.count == 0 { throw fault }
        return body
    }

    func decodeContext(_ delivery: DeliveryHeaders) -> DecodeContext {
        DecodeContext(
            json: JSONLimits(
                maximumDepth: limits.maximumJSONDepth, maximumNumberBytes: limits.maximumNumberCharacters),
            maximumProtocolLineBytes: limits.maximumProtocolLineBytes, catalog: service.catalog,
            automation: Automation(fields, isSyncky: role == .synckyHealthAutoExport),
            offsetMinutes: { [zone] in zone.offsetMinutes(atLocalSeconds: $0) }, now: service.clock.timestamp,
            zone: { [zone] name in name.map(ZoneNames.rules) ?? zone })
    }

    private func store(
        _ decoded: DecodedBody, _ delivery: DeliveryHeaders, bodyBytes: Int,
        _ answer: @escaping @Sendable (Answer, _ isStored: Bool) -> Void
    ) {
        submit(
            decoded.isTest ? .none : .batch(decoded.batch), isTest: decoded.isTest, device: decoded.device, delivery,
            bodyBytes: bodyBytes, sampleCount: decoded.batch.samples.count, answer)
    }

    /// What the endpoints say by now, where they were replaced since the head came: a body takes its time, and nothing is
    /// stored under a name that was removed meanwhile.
    ///
    /// - Parameter body: where its signature is to be checked again.
    func admission(signedBody body: PaddedBytes? = nil) -> HookService.Admission {
        service.endpointsRevision == revision
            ? .admitted : service.admission(of: endpoint.name, endpoint.person, fields, body)
    }

    /// The answer to a request that is admitted no more, once it is logged; nil where it is.
    func refusalByNow(signedBody body: PaddedBytes? = nil, bodyBytes: Int) -> Answer? {
        let admission = admission(signedBody: body)
        if admission == .admitted { return nil }
        let answer = service.refuse(admission, client, sender)
        log(status: answer.response.status, code: "revoked", bodyBytes: bodyBytes)
        return answer
    }

    /// Gives the content to the store, and answers when it is durable or refused.
    ///
    /// - Parameter device: the one that the body names; nil when it names none.
    func submit(
        _ content: Submission.Content, isTest: Bool, device: [UInt8]?, _ delivery: DeliveryHeaders, bodyBytes: Int,
        sampleCount: Int?, _ answer: @escaping @Sendable (Answer, _ isStored: Bool) -> Void
    ) {
        // Decoding took its time, too.
        if let refusal = refusalByNow(bodyBytes: bodyBytes) { return answer(refusal, false) }
        let submission = Submission(
            receivedAt: service.clock.timestamp, endpoint: endpoint.name, person: scope.person,
            device: scope.device ?? device ?? delivery.destination ?? Array(endpoint.name.utf8),
            deliveryID: delivery.id,
            kind: isTest ? .test : .data, dialect: delivery.dialect, bodyBytes: bodyBytes,
            status: succeed == nil ? 204 : 200, content: content,
            commands: succeed == nil ? commandRequest(delivery) : nil, wake: scope.wake)
        service.store.submit(submission) { result in
            switch result {
            case .success(let outcome):
                let response = succeed?(outcome, isTest) ?? reply(outcome, to: delivery)
                log(
                    status: response.status, code: nil, bodyBytes: bodyBytes, delivery: delivery, isTest: isTest,
                    sampleCount: sampleCount, outcome: outcome)
                answer(Answer(response), true)
            case .failure(.refused(let fault)):
                refuse(fault, bodyBytes: bodyBytes, answer)
            case .failure(let fault):
                // A large body is given up when it is admitted no more.
                if let refusal = refusalByNow(bodyBytes: bodyBytes) { return answer(refusal, false) }
                log(
                    status: 503, code: "storage_unavailable", bodyBytes: bodyBytes, delivery: delivery,
                    sampleCount: sampleCount)
                answer(Answer(storeRefusal(fault)), false)
            }
        }
    }

    /// A body that is not wrapped as its head says, or for which there is no room.
    private func refuse(
        _ fault: HTTPFault, bodyBytes: Int, _ answer: @escaping @Sendable (Answer, _ isStored: Bool) -> Void
    ) {
        leaveRow(status: fault.status, code: fault.code, bodyBytes: bodyBytes) {
            answer(Answer(sender.refusal(Refusal(fault))), false)
        }
    }

    /// A body or headers that make no sense: nothing of it is stored but the row that says so.
    func refuse(
        _ fault: DecodeFault, bodyBytes: Int, _ answer: @escaping @Sendable (Answer, _ isStored: Bool) -> Void
    ) {
        leaveRow(status: fault.status, code: fault.code, bodyBytes: bodyBytes) {
            answer(Answer(sender.refusal(Refusal(fault))), false)
        }
    }

    /// Notes a request that changes no sample in the log and in `deliveries`, then goes on, noted or not.
    private func leaveRow(status: Int, code: String, bodyBytes: Int, _ proceed: @escaping @Sendable () -> Void) {
        log(status: status, code: code, bodyBytes: bodyBytes)
        // Not under a name that was removed, and perhaps purged, meanwhile.
        guard admission() == .admitted else { return proceed() }
        let submission = Submission(
            receivedAt: service.clock.timestamp, endpoint: endpoint.name, person: endpoint.person,
            deliveryID: DeliveryHeaders.deliveryID(fields),
            kind: ResultsHeaders.areNamed(in: fields) ? .results : .data,
            dialect: (try? DeliveryHeaders(fields, from: role))?.dialect, bodyBytes: bodyBytes, status: status,
            code: code)
        service.store.submit(submission) { _ in proceed() }
    }

    private func clockRefusal(differenceSeconds: Int64) -> Response {
        let direction = differenceSeconds < 0 ? "behind" : "ahead of"
        return sender.refusal(
            Refusal(
                status: 401, code: "timestamp",
                message: "The sender's clock is \(differenceSeconds.magnitude) seconds \(direction) this server's."))
    }

    func storeRefusal(_ fault: StoreFault) -> Response {
        let wait = fault == .overloaded ? "5" : "30"
        return sender.refusal(
            Refusal(
                status: 503, code: fault == .overloaded ? "overloaded" : "storage_unavailable",
                message: "The data could not be stored; send it again later.", fields: [("Retry-After", wait)]))
    }

    /// One line a request. Never a header, a body or a value from one.
    ///
    /// - Parameter more: what this kind of request has to say beside.
    func log(
        status: Int, code: String?, bodyBytes: Int, delivery: DeliveryHeaders? = nil, isTest: Bool = false,
        sampleCount: Int? = nil, outcome: StoreOutcome? = nil, more: [(name: String, value: LogValue)] = []
    ) {
        var line: [(name: String, value: LogValue)] = []
        line.reserveCapacity(16)
        line.append(("endpoint", .text(endpoint.name)))
        if let id = delivery?.id ?? DeliveryHeaders.deliveryID(fields) { line.append(("delivery", .text(id))) }
        if let delivery { line.append(("dialect", .text(delivery.dialect.rawValue))) }
        if isTest { line.append(("kind", "test")) }
        if let sampleCount, !isTest { line.append(("samples", .int(sampleCount))) }
        if let outcome, !isTest {
            line.append(("stored", .int(outcome.stored)))
            line.append(("changed", .int(outcome.changed)))
            line.append(("repeated", .int(outcome.repeated)))
            line.append(("deleted", .int(outcome.deleted)))
            if outcome.skipped > 0 { line.append(("skipped", .int(outcome.skipped))) }
            if outcome.commandsSent > 0 { line.append(("commands", .int(outcome.commandsSent))) }
        }
        line += more
        service.counters.delivered(endpoint.name, status: status, bytes: bodyBytes)
        if let outcome, !isTest {
            service.counters.wrote(
                endpoint.name, stored: outcome.stored, changed: outcome.changed, deleted: outcome.deleted)
        }
        line.append(("bytes", .int(bodyBytes)))
        line.append(("status", .int(status)))
        if let code { line.append(("code", .text(code))) }
        let elapsed = service.clock.monotonicMicroseconds() - startedAt
        line.append(("ms", .milliseconds(Double(elapsed) / 1000)))
        service.log.log(status >= 500 ? .error : status >= 400 ? .warning : .info, "request", line)
    }
}

extension Response {
    /// 204: all is well and there is nothing to say.
    static var empty: Response { Response(status: 204, fields: [], body: []) }
}
