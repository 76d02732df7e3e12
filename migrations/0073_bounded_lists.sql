-- Indexes in the order of lists, so that each reads a page, however many rows there are.

-- Operators list the endpoints of one connector.
create index connector_endpoints_slug on connector_endpoints (connector_slug, id desc) where deleted_at is null;
-- Replies are listed by endpoint, since a caller may see few of them.
create index connector_replies_of_endpoint on connector_replies (org_id, endpoint_id, status, id desc);
drop index connector_replies_status;

-- Few of the approvals of a project are open.
create index approvals_project_open on approvals (org_id, project_id, id desc) where decision is null;
