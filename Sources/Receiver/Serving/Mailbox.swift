import Synchronization
import Transport

/// Messages for one thread that waits in epoll: any thread puts, the owner takes.
final class Mailbox<Message: Sendable>: Sendable {
    private let messages = Mutex<[Message]>([])
    let wakeUp: WakeUp

    init() throws(Errno) { wakeUp = try WakeUp() }

    /// Adds a message; wakes the owner only when the box was empty.
    func put(_ message: Message) {
        let wasEmpty = messages.withLock { list in
            list.append(message)
            return list.count == 1
        }
        if wasEmpty { wakeUp.signal() }
    }

    /// All messages so far, oldest first.
    func takeAll() -> [Message] {
        wakeUp.drain()
        return messages.withLock { list in
            let taken = list
            list.removeAll(keepingCapacity: list.capacity <= 256)
            return taken
        }
    }
}
