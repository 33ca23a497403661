/// Schema 6: entries of the uuid index take half the bytes (`KeyPage`), so what there is of it is made anew.
extension Tables {
    static let version6 = [
        """
        INSERT OR REPLACE INTO key_rebuild (id, reason)
          SELECT 1, 'once, by this version' WHERE EXISTS (SELECT 1 FROM key_run) OR EXISTS (SELECT 1 FROM key_log)
        """,
        // What `KeyRebuild.mark` does.
        """
        UPDATE key_state SET seed = random(), revision = (random() & 0xFFFFFFFFFFF) + 0x100000000000, next_run = 1,
          clean_run = 0, clean_log = 0, entries = 0, stale = 0, stale_since = 0
          WHERE EXISTS (SELECT 1 FROM key_rebuild)
        """,
    ]
}
