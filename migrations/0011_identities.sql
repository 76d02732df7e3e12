-- An identity has an id of its own, by which it is unlinked; the subject is the provider's and stays here.

alter table identities add column id uuid not null default gen_random_uuid();
alter table identities alter column id drop default;
drop index identities_user;
create unique index identities_owner on identities (user_id, id);
