-- Indexes in list order, so that a list reads one page, however many rows there are.

-- Operators list the endpoints of one connector.
create index connector_endpoints_slug on connector_endpoints (connector_slug, id desc) where deleted_at is null;
-- Replies are listed by endpoint, since a caller may see few of them.
create index connector_replies_of_endpoint on connector_replies (org_id, endpoint_id, status, id desc);
drop index connector_replies_status;

-- For the open approvals of a project, which are few.
create index approvals_project_open on approvals (org_id, project_id, id desc) where decision is null;
