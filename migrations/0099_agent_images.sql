-- The agent's image, if it has one. `image_key` names the bytes, so that a URL with it can be cached for good.
alter table agents add column image_key text;
create table agent_images (
  org_id uuid not null,
  agent_id uuid not null,
  mime_type text not null check (mime_type in ('image/png', 'image/jpeg', 'image/webp')),
  bytes bytea not null check (length(bytes) between 1 and 262144),
  primary key (org_id, agent_id),
  foreign key (org_id, agent_id) references agents (org_id, id) on delete cascade
);
