-- The first member who wrote the instructions of an agent block. A copy, a template, an undo or a restored snapshot writes
-- the text again under the name of another member, but does not make it theirs, and the history of the new block does not
-- know its author. Texts of less than 12 characters are too short to tell copies from coincidences.
create table instruction_texts (
  org_id uuid not null references organizations,
  hash bytea not null,
  user_id uuid not null references users,
  primary key (org_id, hash)
);

-- Runs for every text that a block gets while it is an agent block, and for the text of a block that becomes one.
create function record_instruction_text() returns trigger language plpgsql as $$
declare
  written record;
begin
  select coalesce(new.after ->> 'content', b.content) as content, case
      when new.after ? 'content' then new.user_id
      else (select c.user_id from canvas_changes c
        where c.org_id = new.org_id and c.project_id = new.project_id and c.item_id = new.item_id and c.entity = 'block'
          and c.after -> 'content' is not null
        order by c.seq desc limit 1) end as author
  into written from blocks b
  where b.org_id = new.org_id and b.project_id = new.project_id and b.id = new.item_id and b.type = 'agent';
  if length(written.content) >= 12 and coalesce(written.author, new.user_id) is not null then
    insert into instruction_texts (org_id, hash, user_id)
    values (new.org_id, text_hash(written.content), coalesce(written.author, new.user_id))
    on conflict do nothing;
  end if;
  return null;
end $$;

create trigger instruction_text after insert on canvas_changes for each row
  when (new.entity = 'block' and new.after ?| array['content', 'type'] and coalesce(new.after ->> 'type', 'agent') = 'agent')
  execute function record_instruction_text();

insert into instruction_texts (org_id, hash, user_id)
select distinct on (c.org_id, text_hash(c.after ->> 'content')) c.org_id, text_hash(c.after ->> 'content'), c.user_id
from blocks b join canvas_changes c on c.org_id = b.org_id and c.project_id = b.project_id and c.item_id = b.id
where b.type = 'agent' and c.entity = 'block' and length(c.after ->> 'content') >= 12
  and exists (select from users u where u.id = c.user_id)
order by c.org_id, text_hash(c.after ->> 'content'), c.created_at;
