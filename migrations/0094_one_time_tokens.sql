-- The code and the documents call its rows one-time tokens. No view keeps the former name: an upgrade stops older
-- processes first.
alter table tickets rename to one_time_tokens;
alter table one_time_tokens rename constraint tickets_pkey to one_time_tokens_pkey;
alter table one_time_tokens rename constraint tickets_user_id_fkey to one_time_tokens_user_id_fkey;
alter index tickets_user rename to one_time_tokens_user;
alter index tickets_expiry rename to one_time_tokens_expiry;
