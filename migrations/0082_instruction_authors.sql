-- Who wrote the instructions that a run follows. A run that follows instructions of a member with a lower role than the
-- person who started it is not trusted.

-- The member who last changed the prompt; null for prompts that are older than this column: the creator counts.
alter table projects add prompt_by uuid references users;
alter table project_templates add prompt_by uuid references users;

-- The instructions that lowered the trust of the run when it started, or while it was active.
alter table runs add trust_reason text
  check (trust_reason in ('agent', 'project_prompt', 'skill', 'block', 'message'));

-- The rank of a role in an organization. A person without a role, who has left, ranks as a member.
create function role_rank(role text) returns integer language sql immutable parallel safe as $$
  select case role when 'owner' then 3 when 'admin' then 2 else 1 end
$$;
