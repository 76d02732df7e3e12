import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from '../../server/database/database.ts'
import { listOpenBackends, listStoppedBackends } from './backends.ts'

/**
 * Where a worker stops: the name of an event with its tool, `run` with its trigger, or `reservation`. `before` stops in
 * the transaction, which a kill rolls back; `after` stops in its commit, which succeeds although the worker gets no
 * response.
 */
export interface Stop {
  point: string
  commit: 'before' | 'after'
}

const FIRST_LOCK = 4242
const POLL_MS = 5

/** Stops workers at chosen points of their transactions, by triggers that wait for a lock. */
export async function createStops(sql: Pool) {
  await sql.unsafe(`
    create table kill_stop (point text, commit text, lock int);
    create function wait_at_stop(reached text, at_commit text) returns void language plpgsql as $$
      begin
        perform pg_advisory_xact_lock_shared(lock) from kill_stop where point = reached and commit = at_commit;
      end $$;
    create function stop_at_event() returns trigger language plpgsql as $$
      begin
        perform wait_at_stop(concat_ws(' ', new.type, new.data ->> 'tool'), tg_argv[0]);
        return null;
      end $$;
    create trigger event_before after insert on run_events for each row execute function stop_at_event('before');
    create constraint trigger event_after after insert on run_events deferrable initially deferred
      for each row execute function stop_at_event('after');
    create function stop_at_row() returns trigger language plpgsql as $$
      begin
        perform wait_at_stop(tg_argv[1] || coalesce(' ' || (to_jsonb(new) ->> 'trigger'), ''), tg_argv[0]);
        return null;
      end $$;
    create trigger run_before after insert on runs for each row execute function stop_at_row('before', 'run');
    create constraint trigger run_after after insert on runs deferrable initially deferred
      for each row execute function stop_at_row('after', 'run');
    create constraint trigger reserved_after after insert on reservations deferrable initially deferred
      for each row execute function stop_at_row('after', 'reservation');`)
  const holder = await sql.reserve()
  let lock = FIRST_LOCK
  await holder`select pg_advisory_lock(${lock})`

  return {
    arm: ({ point, commit }: Stop) => sql`insert into kill_stop values (${point}, ${commit}, ${lock})`,
    /** Waits until a worker has stopped, and returns its connection. */
    async waitForStop(): Promise<{ pid: number; name: string }> {
      for (;;) {
        const [backend] = await listStoppedBackends(sql, lock)
        if (backend) return backend
        await sleep(POLL_MS)
      }
    },
    /**
     * Lets the stopped transaction end as it does when its worker was killed. The following stop is armed before, with a
     * lock of its own, because the commit of this one may start the work that reaches it in another process.
     */
    async release({ commit }: Stop, pid: number, following: Stop | undefined): Promise<void> {
      const releasedLock = lock++
      await holder`select pg_advisory_lock(${lock})`
      await holder`delete from kill_stop`
      if (following) await this.arm(following)
      if (commit === 'before') await sql`select pg_terminate_backend(${pid})`
      await holder`select pg_advisory_unlock(${releasedLock})`
      while ((await listOpenBackends(sql, [pid])).length > 0) await sleep(POLL_MS)
    },
    async close() {
      await holder`select pg_advisory_unlock(${lock})`
      holder.release()
    },
  }
}
