-- Scenes, their logs and their snapshots.
--
-- scene is the incarnation: an id that is dropped and begun anew has another. Half of every page of `scene` is left free, so that
-- moving a version on writes beside the row and touches no index: no column that changes with every entry may get one.
-- Payloads are deflated by those who write them, and would be compressed in vain once more: STORAGE EXTERNAL.

create table tangent.scene (
  scene bigint generated always as identity primary key,
  id text collate "C" not null,
  version bigint not null,
  digest bytea not null,
  -- the first entry that is there, and the one that will be when what is too young for it now has been trimmed
  first bigint not null default 1,
  trim_to bigint not null default 1,
  -- what lists say, as it was at summary_version
  summary_version bigint not null default 0,
  ttl double precision,
  summary json,
  begun_at timestamptz not null default now(),
  used_at timestamptz not null default now(),
  dropped_at timestamptz,
  -- who asks for expired scenes, or sweeps, has this one until some time after
  claimed_at timestamptz
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

create unique index scene_id on tangent.scene (id) where dropped_at is null;
create index scene_dropped on tangent.scene (dropped_at) where dropped_at is not null;
create index scene_mortal on tangent.scene (scene) where ttl is not null and dropped_at is null;
create index scene_to_trim on tangent.scene (scene) where trim_to > first;

create table tangent.entry (
  scene bigint not null,
  seq bigint not null,
  at timestamptz not null default now(),
  digest bytea not null,
  bytes bytea not null,
  primary key (scene, seq)
) with (autovacuum_vacuum_scale_factor = 0.05, toast.autovacuum_vacuum_scale_factor = 0.05);
alter table tangent.entry alter column bytes set storage external;

-- state: 0 claimed by one who is writing it, 1 complete, 2 gone: its chunks are to be taken away.
create table tangent.snapshot (
  snapshot bigint generated always as identity primary key,
  scene bigint not null,
  version bigint not null,
  state smallint not null default 0,
  claimed_at timestamptz not null default now(),
  by text not null
);
create unique index snapshot_claim on tangent.snapshot (scene, version) where state = 0;
create index snapshot_scene on tangent.snapshot (scene, version);
create index snapshot_unfinished on tangent.snapshot (claimed_at) where state <> 1;

create table tangent.chunk (
  snapshot bigint not null,
  n integer not null,
  bytes bytea not null,
  primary key (snapshot, n)
);
alter table tangent.chunk alter column bytes set storage external;

-- Processes, each by a row to commit to.
create table tangent.replica (
  replica text primary key,
  confirmed_at timestamptz not null default now()
);
