-- The id with which the API unlinks an identity. The subject, which is the provider's id of the user, is not returned.

alter table identities add column id uuid not null default gen_random_uuid();
alter table identities alter column id drop default;
drop index identities_user;
create unique index identities_owner on identities (user_id, id);
