-- A grant allows a tool at the risk of the approved call only, because one tool may both edit and delete.
alter table approval_grants add risk text not null default 'none'
  check (risk in ('none', 'send', 'spend', 'delete', 'share', 'execute'));
alter table approval_grants alter risk drop default;
drop index approval_grants_tool;
create unique index approval_grants_tool on approval_grants
  (org_id, agent_id, coalesce(session_id, '00000000-0000-0000-0000-000000000000'), tool, risk);
