/// The texts that are sent to the server.
enum PostgresStatements {
  /// The seconds for which a turn is waited for.
  static let patience = 10

  static let tables = """
    CREATE TABLE IF NOT EXISTS flask_group (
      id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text COLLATE "C" NOT NULL UNIQUE,
      incarnation text COLLATE "C" NOT NULL, version bigint NOT NULL, horizon bigint NOT NULL
    );
    CREATE TABLE IF NOT EXISTS flask_commit (
      grp int NOT NULL, seq bigint NOT NULL, token text COLLATE "C" NOT NULL,
      at timestamptz NOT NULL DEFAULT clock_timestamp(), touched json,
      PRIMARY KEY (grp, seq), UNIQUE (grp, token)
    );
    CREATE TABLE IF NOT EXISTS flask_row (
      grp int NOT NULL, part text COLLATE "C" NOT NULL, path text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL, ord text COLLATE "C" NOT NULL, ver bigint NOT NULL, body json NOT NULL,
      PRIMARY KEY (grp, part, path, id)
    ) WITH (fillfactor = 85);
    CREATE TABLE IF NOT EXISTS flask_lease (
      name text COLLATE "C" PRIMARY KEY, fence bigint NOT NULL, holder text COLLATE "C" NOT NULL,
      until timestamptz NOT NULL
    );
    \(leaseIndex);
    """
  static let leaseIndex = "CREATE UNIQUE INDEX IF NOT EXISTS flask_lease_fence ON flask_lease (name, fence)"

  /// The process of the server, and whether it is a standby.
  static let server = "SELECT pg_backend_pid(), pg_is_in_recovery()"
  /// Whether the tables are there, and whether they have the index that earlier ones lack.
  static let hasTables = """
    SELECT to_regclass('flask_lease') IS NOT NULL, to_regclass('flask_lease_fence') IS NOT NULL
    """
  static let tableLock = "SELECT pg_advisory_xact_lock(7379527312)"

  /// A role may have a stronger isolation, in which the turn is waited for behind the moment of all reading.
  static let begin = "BEGIN ISOLATION LEVEL READ COMMITTED"
  static let commit = "COMMIT"
  static let rollback = "ROLLBACK"
  static let beginToRead = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

  /// Settings of a connection. A role may have weaker ones, and a server notices a client that has vanished after two
  /// hours. Every row is found by a key: plans for tables that were filled a moment ago, or for reads that are far
  /// behind, would read all of them. So each statement is planned once.
  static let session =
    settings(isLocal: false) + """
      , set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
        set_config('tcp_keepalives_count', '3', false), set_config('tcp_user_timeout', '20000', false),
        set_config('plan_cache_mode', 'force_generic_plan', false), set_config('jit', 'off', false),
        set_config('max_parallel_workers_per_gather', '0', false),
        set_config('enable_seqscan', 'off', false), set_config('enable_hashjoin', 'off', false),
        set_config('enable_mergejoin', 'off', false)
      """
  /// A reading may last as long as it comes.
  static let unhurried = """
    SELECT set_config('statement_timeout', '0', true),
      CASE WHEN current_setting('transaction_timeout', true) IS NOT NULL
        THEN set_config('transaction_timeout', '0', true) END
    """

  /// Settings of a transaction: a pooler keeps none of a session.
  static let transaction = settings(isLocal: true)

  private static func settings(isLocal: Bool) -> String {
    """
    SELECT set_config('lock_timeout', '\(patience)s', \(isLocal)),
      set_config('statement_timeout', '50s', \(isLocal)),
      set_config('idle_in_transaction_session_timeout', '30s', \(isLocal)),
      CASE WHEN current_setting('transaction_timeout', true) IS NOT NULL
        THEN set_config('transaction_timeout', '120s', \(isLocal)) END,
      CASE WHEN current_setting('client_connection_check_interval', true) IS NOT NULL AND version() LIKE '%linux%'
        THEN set_config('client_connection_check_interval', '10s', \(isLocal)) END,
      set_config('synchronous_commit',
        CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END,
        \(isLocal))
    """
  }

  /// Waits for the turn of a group. In a statement of its own: the next one sees what was committed meanwhile.
  static let turn = "SELECT pg_advisory_xact_lock(hashtextextended($1, 7379527313))"

  /// Ends the connection of a client that has vanished while it sent a transaction: no timeout of the server does. The
  /// turn is kept, and nothing has come for a minute.
  static let endGhost = """
    SELECT pg_terminate_backend(a.pid) FROM pg_locks l JOIN pg_stat_activity a USING (pid)
    WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
      AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND ((l.classid::bigint << 32) | l.objid::bigint) = hashtextextended($1, 7379527313)
      AND a.state = 'active' AND a.wait_event = 'ClientRead'
      AND a.state_change < clock_timestamp() - interval '60 seconds'
    """

  /// The index is named, so that nothing is made while a backup is restored that has no keys yet.
  static let makeGroup = """
    INSERT INTO flask_group (name, incarnation, version, horizon) VALUES ($1, $2, 0, 0) ON CONFLICT (name) DO NOTHING
    """

  // MARK: Reading

  /// A group: `$1` its name, `$2` the number that the process knows.
  static let head = """
    SELECT g.id, g.incarnation, g.version, g.horizon, l.seq, l.token,
      (SELECT token FROM flask_commit WHERE grp = g.id AND seq = $2),
      EXISTS (SELECT FROM flask_commit WHERE grp = g.id AND seq > $2 AND touched IS NULL)
    FROM flask_group g
    LEFT JOIN LATERAL (SELECT seq, token FROM flask_commit WHERE grp = g.id ORDER BY seq DESC LIMIT 1) l ON true
    WHERE g.name = $1
    """

  static let tokens = """
    SELECT token, seq FROM flask_commit
    WHERE grp = (SELECT id FROM flask_group WHERE name = $1) AND token = ANY ($2)
    """

  /// The rows that commits after `$2` have touched, of the parts `$3`. One without a body was removed.
  static let touched = """
    SELECT k.part, k.path, k.id, r.ord, r.ver, r.body FROM (
      SELECT DISTINCT t ->> 0 AS part, t ->> 1 AS path, t ->> 2 AS id
      FROM flask_commit c, json_array_elements(c.touched) t
      WHERE c.grp = (SELECT id FROM flask_group WHERE name = $1) AND c.seq > $2 AND t ->> 0 = ANY ($3)
        AND $2 >= (SELECT horizon FROM flask_group WHERE name = $1)
    ) k LEFT JOIN LATERAL (
      SELECT ord, ver, body FROM flask_row
      WHERE grp = (SELECT id FROM flask_group WHERE name = $1) AND part = k.part AND path = k.path AND id = k.id LIMIT 1
    ) r ON true
    """

  static let parts = """
    SELECT part, path, id, ord, ver, body FROM flask_row
    WHERE grp = (SELECT id FROM flask_group WHERE name = $1) AND part = ANY ($2)
    """

  static let rows = """
    SELECT k.part, k.path, k.id, r.ord, r.ver, r.body
    FROM unnest($2::text[], $3::text[], $4::text[]) AS k (part, path, id)
    CROSS JOIN LATERAL (
      SELECT ord, ver, body FROM flask_row
      WHERE grp = (SELECT id FROM flask_group WHERE name = $1) AND part = k.part AND path = k.path AND id = k.id LIMIT 1
    ) r
    """

  /// The holders of leases, who stay until the transaction has ended. The fence is part of a key, so that a lease can
  /// be renewed meanwhile, and not be taken.
  static let leases = "SELECT name, fence, holder FROM flask_lease WHERE name = ANY ($1) FOR KEY SHARE"

  // MARK: Writing

  static let addCommits = """
    INSERT INTO flask_commit (grp, seq, token, touched)
    SELECT $1, * FROM unnest($2::bigint[], $3::text[], $4::json[])
    """

  static let upsert = """
    INSERT INTO flask_row (grp, part, path, id, ord, ver, body)
    SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::json[])
    ON CONFLICT (grp, part, path, id) DO UPDATE SET ord = excluded.ord, ver = excluded.ver, body = excluded.body
    """

  static let remove = """
    DELETE FROM flask_row r USING unnest($2::text[], $3::text[], $4::text[]) AS k (part, path, id)
    WHERE r.grp = $1 AND r.part = k.part AND r.path = k.path AND r.id = k.id
    """

  static let reorder = """
    UPDATE flask_row r SET ord = k.ord
    FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) AS k (part, path, id, ord)
    WHERE r.grp = $1 AND r.part = k.part AND r.path = k.path AND r.id = k.id
    """

  static let raiseVersion = "UPDATE flask_group SET version = $2 WHERE id = $1"

  /// Removes the oldest commits from the list, a thousand at most, and never the newest: none whose predecessors stay,
  /// whatever the clock was.
  static let prune = """
    WITH old AS MATERIALIZED (
      SELECT seq, at FROM flask_commit WHERE grp = $1 AND seq < $2 ORDER BY seq LIMIT 1000
    ), gone AS (
      DELETE FROM flask_commit WHERE grp = $1 AND seq = ANY (ARRAY(
        SELECT seq FROM old
        WHERE seq <= (SELECT max(seq) FROM old WHERE at < clock_timestamp() - interval '24 hours')
      )) RETURNING seq
    )
    UPDATE flask_group SET horizon = (SELECT max(seq) + 1 FROM gone) WHERE id = $1 AND EXISTS (SELECT FROM gone)
    """

  // MARK: Leases

  /// `$1` the name, `$2` the holder, `$3` milliseconds. Who waits writes nothing. The numbers are those of the clock,
  /// so that they grow after a backup was restored, too.
  static let lease = """
    WITH renewed AS (
      UPDATE flask_lease SET until = clock_timestamp() + $3 * interval '1 millisecond'
      WHERE name = $1 AND holder = $2 RETURNING fence
    ), taken AS (
      UPDATE flask_lease SET fence = greatest(fence + 1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint),
        holder = $2, until = clock_timestamp() + $3 * interval '1 millisecond'
      WHERE name = $1 AND holder <> $2 AND until <= clock_timestamp() RETURNING fence
    ), made AS (
      INSERT INTO flask_lease (name, fence, holder, until)
      SELECT $1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint, $2,
        clock_timestamp() + $3 * interval '1 millisecond'
      WHERE NOT EXISTS (SELECT FROM flask_lease WHERE name = $1)
      ON CONFLICT DO NOTHING RETURNING fence
    )
    SELECT fence FROM renewed UNION ALL SELECT fence FROM taken UNION ALL SELECT fence FROM made
    """

  static let endLease = """
    UPDATE flask_lease SET holder = '', until = '-infinity' WHERE name = $1 AND holder = $2
    """

  /// Who asks each second in any case does not stand in the way.
  static let briefly = "SELECT set_config('lock_timeout', '1s', true)"

  // MARK: Hints

  static let channel = "flask"
  static let listen = "LISTEN \(channel)"
  /// Not durable, so that it waits for no disk; and not for long, since the same connection listens.
  static let weakly =
    "SELECT set_config('synchronous_commit', 'off', true), set_config('lock_timeout', '1s', true)"
  static let notify = "SELECT pg_notify('\(channel)', name) FROM unnest($1::text[]) AS n (name)"
}
