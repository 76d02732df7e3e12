-- Indexes for each filter of the lists of sessions, runs and approvals, in list order.
create index agent_sessions_open on agent_sessions (org_id, last_message_at desc, id desc)
  where deleted_at is null and status = 'open';
create index agent_sessions_ended on agent_sessions (org_id, last_message_at desc, id desc)
  where deleted_at is null and status = 'ended';
create index agent_sessions_project_ended on agent_sessions (org_id, project_id, last_message_at desc, id desc)
  where deleted_at is null and status = 'ended';
create index agent_sessions_branches on agent_sessions (org_id, branched_from, last_message_at desc, id desc)
  where deleted_at is null and branched_from is not null;

create index runs_agent_project on runs (org_id, project_id, id desc) where agent_id is not null;
create index runs_agent_status on runs (org_id, status, id desc) where agent_id is not null;
create index runs_trigger on runs (org_id, trigger, id desc) where agent_id is not null;
create index runs_created on runs (org_id, created_at, id) where agent_id is not null;

-- The list of approvals is sorted by id.
drop index approvals_open;
drop index approvals_all;
create index approvals_open on approvals (org_id, id desc) where decision is null;
create index approvals_decided on approvals (org_id, id desc) where decision is not null;
create index approvals_project on approvals (org_id, project_id, id desc);
