-- Statistics after ten changed rows instead of fifty: a small table without them gets plans that compare all rows with
-- each other, and with fewer than fifty rows it never got any.
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
