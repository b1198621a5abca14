-- What falls due, in that order, and how many scenes there are.
--
-- due_at is not after the time at which a scene expires, and is looked at again when it has come: it is set when a scene begins and when
-- its ttl changes (or its use is put back), and put off by who finds that the scene has been used since. So an append touches neither it nor its index. Null: it
-- was never set; that counts as due.
--
-- Statements of the release before know nothing of all this: triggers keep it.

set local lock_timeout = '5s';

alter table tangent.scene add column due_at timestamptz;

create index scene_due on tangent.scene (coalesce(due_at, '-infinity'))
  where ttl is not null and dropped_at is null;

create function tangent.set_due() returns trigger language plpgsql as $$
begin
  new.due_at := new.used_at + make_interval(secs => new.ttl);
  return new;
end $$;

create trigger scene_begun_due before insert on tangent.scene
  for each row when (new.ttl is not null) execute function tangent.set_due();
create trigger scene_changed_due before update of ttl, used_at on tangent.scene
  for each row when (new.ttl is distinct from old.ttl or new.used_at < old.used_at) execute function tangent.set_due();

-- Each connection counts in a row of its own, more or less, so that those who begin scenes do not wait for each other.
create table tangent.tally (
  slot integer primary key,
  scenes bigint not null
) with (fillfactor = 50);
insert into tangent.tally (slot, scenes)
  select slot, case slot when 0 then (select count(*) from tangent.scene where dropped_at is null) else 0 end
  from generate_series(0, 63) slot;

create function tangent.count_begun() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update tangent.tally
    set scenes = scenes + (select count(*) from begun where dropped_at is null)
    where slot = pg_backend_pid() % 64;
  return null;
end $$;

create function tangent.count_changed() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update tangent.tally
    set scenes = scenes + (new.dropped_at is null)::int - (old.dropped_at is null)::int
    where slot = pg_backend_pid() % 64;
  return null;
end $$;

create trigger scene_begun_count after insert on tangent.scene
  referencing new table as begun for each statement execute function tangent.count_begun();
create trigger scene_changed_count after update of dropped_at on tangent.scene
  for each row when ((old.dropped_at is null) <> (new.dropped_at is null)) execute function tangent.count_changed();
