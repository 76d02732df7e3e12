-- The number of a run in its session, in the order in which runs start. A position in the stream of a session needs it:
-- ids have the order of the clocks of the processes, which may disagree.
alter table agent_sessions add run_seq integer not null default 0;
alter table runs add session_seq integer;

update runs r set session_seq = numbered.n
from (
  select org_id, id, row_number() over (partition by org_id, session_id order by id) as n
  from runs where session_id is not null
) numbered
where r.org_id = numbered.org_id and r.id = numbered.id;
update agent_sessions s set run_seq = (
  select count(*) from runs r where r.org_id = s.org_id and r.session_id = s.id);

create unique index runs_session_seq on runs (org_id, session_id, session_seq) where session_seq is not null;
