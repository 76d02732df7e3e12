-- Numbers the runs of a session in the order in which they start. Ids have the order of the clocks of the processes, which
-- may disagree; a position in the stream of a session must not.
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
