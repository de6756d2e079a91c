/**
 * What makes each version of the database of the one before, from an empty one on. One that has been released never changes:
 * what it made lies on people's disks.
 */
export const migrations: readonly string[] = [
  `
  create table events (
    n integer primary key,
    at integer not null,
    topic text not null,
    body text not null
  ) strict;
  create index events_by_topic on events (topic, n);

  -- Numbers behind "after", up to and with "up_to", that may have been told and are not kept.
  create table event_gaps (
    after integer primary key,
    up_to integer not null
  ) strict;

  -- Numbers up to "reserved" may have been given out. Those up to "kept_to" are kept, in a gap, or by now "forgotten".
  create table event_log (
    one integer primary key check (one = 1),
    epoch text not null,
    reserved integer not null,
    kept_to integer not null,
    forgotten integer not null
  ) strict;

  -- In the order in which they began.
  create table operations (
    place integer primary key,
    id text not null unique,
    created_at integer not null,
    has_key integer not null,
    is_final integer not null,
    body text not null
  ) strict;
  create index operations_by_key on operations (has_key, place);

  -- How each minute was, numbered since 1970. Ticks are hundredths of one a second; what only a game can tell is null without one.
  create table samples (
    minute integer primary key,
    players integer not null,
    ticks integer,
    tick_gap_ms integer,
    bridge_latency_ms integer,
    service_memory_mb integer not null,
    game_memory_mb integer
  ) strict;

  -- What the minutes of each hour come to: sums of "players" and "ticks", the most of the rest.
  create table sample_hours (
    hour integer primary key,
    minutes integer not null,
    players integer not null,
    most_players integer not null,
    ticked integer not null,
    ticks integer not null,
    tick_gap_ms integer,
    bridge_latency_ms integer,
    service_memory_mb integer not null,
    game_memory_mb integer
  ) strict;

  create table facts (
    name text primary key,
    value text not null
  ) strict;
  `,
  `
  -- A hash is the SHA-256 of a key that was shown once. "ended" says how it did: "revoked" or "expired".
  create table keys (
    id text primary key,
    name text not null,
    scopes text not null,
    hash text not null unique,
    created_at integer not null,
    expires_at integer,
    old_hash text,
    old_until integer,
    used_at integer,
    ended_at integer,
    ended text
  ) strict;
  `,
  `
  -- Who did what, a line each: "sort" says which lines are deleted first.
  create table audit (
    n integer primary key autoincrement,
    at integer not null,
    sort text not null,
    actor text not null,
    action text not null,
    outcome text not null,
    operation text,
    body text not null
  ) strict;
  create index audit_by_time on audit (at);
  create index audit_by_sort on audit (sort);
  create index audit_by_actor on audit (actor);
  create index audit_by_action on audit (action);
  create index audit_by_outcome on audit (outcome);
  create unique index audit_by_operation on audit (operation, outcome) where operation is not null;

  -- What has begun and has no line yet: noted before it can be done, so that a kill hides nobody.
  create table audit_begun (
    n integer primary key,
    at integer not null,
    sort text not null,
    actor text not null,
    action text not null,
    body text not null
  ) strict;
  `,
  `
  -- The log up to "number" was delivered or given up, or is no business of the webhook. The URL and the secret are sent, and so kept.
  create table webhooks (
    id text primary key,
    name text not null,
    template text not null,
    url text not null,
    secret text,
    topics text not null,
    identities integer not null,
    created_at integer not null,
    epoch text not null,
    number integer not null,
    gap_to text,
    state text not null,
    since integer not null,
    delivered_at integer,
    failing_since integer,
    failures integer not null,
    tries integer not null,
    reason text,
    not_before integer not null
  ) strict;

  -- How the last messages ended. "message" is what a receiver knows one by.
  create table webhook_deliveries (
    n integer primary key autoincrement,
    hook text not null,
    message text not null,
    type text not null,
    at integer not null,
    outcome text not null,
    tries integer not null,
    status integer,
    reason text,
    unique (hook, message)
  ) strict;
  create index webhook_deliveries_by_outcome on webhook_deliveries (hook, outcome, n);
  create index webhook_deliveries_by_time on webhook_deliveries (at);
  `,
  `
  -- What is due up to "done_to" was done or passed over. "run" is the last run: without an outcome where it has begun and not ended.
  create table schedules (
    id text primary key,
    name text not null,
    action text not null,
    parameters text not null,
    cron text,
    time_zone text,
    missed text,
    empty_minutes integer,
    made_by text not null,
    key_id text,
    created_at integer not null,
    done_to integer not null,
    off text,
    run text
  ) strict;
  `,
];
