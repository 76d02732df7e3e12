-- Autovacuum analyzes these tables after ten changed rows instead of fifty. A table with fewer than fifty rows was
-- never analyzed, and without statistics the planner chooses plans that compare all rows with each other.
do $$
declare
  name text;
begin
  foreach name in array array['api_keys', 'audit', 'blocks', 'canvas_changes', 'deliveries', 'delivery_attempts', 'edges',
    'events', 'feedback', 'feedback_comments', 'files', 'folders', 'invites', 'memberships', 'objects', 'project_invites',
    'project_shares', 'project_workspaces', 'projects', 'runs', 'sessions', 'snapshots', 'users', 'webhooks',
    'workspace_members', 'workspaces']
  loop
    execute format('alter table %I set (autovacuum_analyze_threshold = 10, autovacuum_analyze_scale_factor = 0.05)', name);
  end loop;
end $$;
