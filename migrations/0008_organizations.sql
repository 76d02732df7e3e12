-- One row per pending invite to an organization.
create table invites (
  org_id uuid not null references organizations,
  id uuid not null,
  email text not null,
  role text not null check (role in ('admin', 'member')),
  token_hash bytea not null,
  invited_by uuid not null references users,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (org_id, id)
);
create unique index invites_token on invites (token_hash);
create unique index invites_email on invites (org_id, lower(email));

create index audit_action on audit (org_id, action, id desc);
create index audit_user on audit (org_id, user_id, id desc);

-- Every change or removal of an owner checks that the organization has another owner.
create index memberships_owners on memberships (org_id, user_id) where role = 'owner';

alter table organizations add column version integer not null default 1;
