-- The first author of the instructions of agent blocks. A copy, a template, an undo or a restored snapshot writes the text
-- again under the name of another member, but does not make it theirs: the history of the new block does not know its
-- author. Texts of less than 12 characters are too short to tell copies from coincidences.
create table instruction_texts (
  org_id uuid not null references organizations,
  hash bytea not null,
  user_id uuid not null references users,
  primary key (org_id, hash)
);

create function record_instruction_text() returns trigger language plpgsql as $$
begin
  if length(new.after ->> 'content') >= 12 and (new.after ->> 'type' = 'agent' or exists (
    select from blocks b
    where b.org_id = new.org_id and b.project_id = new.project_id and b.id = new.item_id and b.type = 'agent'))
  then
    insert into instruction_texts (org_id, hash, user_id)
    values (new.org_id, text_hash(new.after ->> 'content'), new.user_id)
    on conflict do nothing;
  end if;
  return null;
end $$;

create trigger instruction_text after insert on canvas_changes for each row
  when (new.entity = 'block' and new.user_id is not null and new.after ? 'content'
    and coalesce(new.after ->> 'type', 'agent') = 'agent')
  execute function record_instruction_text();

insert into instruction_texts (org_id, hash, user_id)
select distinct on (c.org_id, text_hash(c.after ->> 'content')) c.org_id, text_hash(c.after ->> 'content'), c.user_id
from blocks b join canvas_changes c on c.org_id = b.org_id and c.project_id = b.project_id and c.item_id = b.id
where b.type = 'agent' and c.entity = 'block' and length(c.after ->> 'content') >= 12
  and exists (select from users u where u.id = c.user_id)
order by c.org_id, text_hash(c.after ->> 'content'), c.created_at;
