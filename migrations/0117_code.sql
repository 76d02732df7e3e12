-- Programs that agents write. A program's calls are calls of the run too: `parent` is the ordinal of the call that runs
-- the program, and the call's own ordinal is parent * 1,000,000 + its number in the program.
alter table run_calls
  add column parent integer,
  -- A hash of the tool and input that the program asked for. A member or a guardrail may have changed the input since.
  add column request_hash text,
  -- The calls' results were handed to the program in this order. A repeated program gets them in the same order.
  add column handed integer,
  -- What the program wrote to the console, as a list of lines.
  add column console jsonb;
alter table run_calls add constraint run_calls_parent check ((parent is null) = (ordinal < 1000000)) not valid;

-- Agents that exist keep their tools. New ones may run programs.
update agent_versions set settings = jsonb_set(settings, '{tools,code}', 'false')
where settings ? 'tools' and not settings -> 'tools' ? 'code';

do $$
begin
  execute replace(pg_get_functiondef('add_assistant(uuid, timestamptz)'::regprocedure), '"agents": false}', '"agents": false, "code": true}');
end $$;
