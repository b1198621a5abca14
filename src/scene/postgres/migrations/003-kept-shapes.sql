-- Shapes that were sent once, by the digests of their content, and their bytes in parts.
--
-- A shape and its parts come in one transaction, the row of the shape last: whoever sends the same shape meanwhile waits for nobody. head
-- is what is said about it, and the lengths and checksums of its blocks. content tells one copy of the bytes from another.

create table tangent.shape (
  id text collate "C" primary key,
  dimension text collate "C" not null,
  content uuid not null unique,
  bytes bigint not null,
  head text not null,
  used_at timestamptz not null default now()
) with (fillfactor = 70);
create index shape_listed on tangent.shape (dimension, id);

create table tangent.shape_part (
  content uuid not null references tangent.shape (content) on delete cascade deferrable initially deferred,
  n integer not null,
  bytes bytea not null,
  primary key (content, n)
);
alter table tangent.shape_part alter column bytes set storage external;
