import type { Role } from '../../../contract/accounts/accounts.ts'
import type { Scope } from '../../../contract/accounts/scopes.ts'
import type { Language } from '../../../contract/languages.ts'
import type { Pool } from '../../database/database.ts'
import { sha256 } from '../../security/digest.ts'
import { newId } from '../../security/ids.ts'
import { hashPassword } from '../../security/passwords.ts'
import { randomHex, randomToken } from '../../security/random.ts'

export const PASSWORD = 'correct horse battery staple'

export interface Organization {
  id: string
  name: string
  workspaceId: string
}

export interface Person {
  id: string
  email: string
  name: string
  orgId: string
}

export interface PersonOptions {
  role?: Role
  operator?: boolean
  password?: string
  name?: string
  email?: string
  /** Default: false. */
  verified?: boolean
  language?: Language
}

export interface ProjectOptions {
  name?: string
  visibility?: 'team' | 'private'
  /** The primary workspace, then those it's shared with. Default: the organization's first workspace. */
  workspaceIds?: string[]
  deleted?: boolean
}

/** `PASSWORD` hashed at the lowest cost: checks take 0.2 ms instead of 36. */
const CHEAP_HASH =
  '$argon2id$v=19$m=8,t=1,p=1$GIe0FOdamrVZ69sNso3ubw$m1zFBdaU9YqPURhRT+m4GVIbom48Fw6x4Iq+OQ7dNnc'

const hashes = new Map([[PASSWORD, Promise.resolve(CHEAP_HASH)]])

/** Hashing is slow by design, and most test users share a password. */
function hashOnce(password: string): Promise<string> {
  const hash = hashes.get(password) ?? hashPassword(password, { lane: 'known', key: 'test' })
  hashes.set(password, hash)
  return hash
}

export function createFactories(sql: Pool, now: () => Date) {
  async function organization(name = `Org ${randomHex(3)}`): Promise<Organization> {
    const id = newId()
    const workspaceId = newId()
    await sql`insert into organizations (id, name, created_at, updated_at) values (${id}, ${name}, ${now()}, ${now()})`
    await sql`
      insert into workspaces (org_id, id, name, created_at, updated_at)
      values (${id}, ${workspaceId}, 'General', ${now()}, ${now()})`
    await sql`select add_assistant(${id}, ${now()})`
    return { id, name, workspaceId }
  }

  async function person(org: Organization, options: PersonOptions = {}): Promise<Person> {
    const id = newId()
    const name = options.name ?? `Person ${randomHex(3)}`
    const email = options.email ?? `${randomHex(6)}@example.com`
    const verifiedAt = options.verified ? now() : null
    const hash = options.password ? await hashOnce(options.password) : null
    await sql`
      insert into users (id, email, name, password_hash, email_verified_at, is_operator, language, created_at,
        updated_at)
      values (${id}, ${email}, ${name}, ${hash}, ${verifiedAt}, ${options.operator ?? false}, ${options.language ?? null},
        ${now()}, ${now()})`
    return join({ id, email, name, orgId: org.id }, org, options.role)
  }

  async function join(person: Person, org: Organization, role: Role = 'member'): Promise<Person> {
    await sql`
      insert into memberships (org_id, user_id, role, default_workspace_id, created_at)
      values (${org.id}, ${person.id}, ${role}, ${org.workspaceId}, ${now()})`
    await sql`
      insert into workspace_members (org_id, workspace_id, user_id, role, created_at)
      values (${org.id}, ${org.workspaceId}, ${person.id}, 'editor', ${now()})`
    return { ...person, orgId: org.id }
  }

  async function key(
    owner: Person,
    scopes: Scope[] = ['models:read', 'agents:write'],
    { readOnly = false } = {},
  ): Promise<{ id: string; key: string }> {
    const id = newId()
    const value = `atrium_test_${randomHex(24)}`
    await sql`
      insert into api_keys (org_id, id, user_id, name, prefix, last_four, scopes, read_only, hash, created_at)
      values (${owner.orgId}, ${id}, ${owner.id}, 'test key', 'atrium_test_', ${value.slice(-4)}, ${scopes}, ${readOnly},
        ${sha256(value)}, ${now()})`
    return { id, key: value }
  }

  /** By default with step-up. */
  async function session(
    owner: Person,
    options: { steppedUp?: boolean } = {},
  ): Promise<{ id: string; cookie: string }> {
    const id = newId()
    const token = randomToken(32)
    const later = (seconds: number) => new Date(now().getTime() + seconds * 1000)
    const stepUpUntil = (options.steppedUp ?? true) ? later(600) : null
    await sql`
      insert into sessions (id, token_hash, user_id, org_id, workspace_id, step_up_until, address, created_at, last_seen_at,
        expires_at)
      select ${id}, ${sha256(token)}, user_id, org_id, default_workspace_id, ${stepUpUntil}, '127.0.0.1', ${now()},
        ${now()}, ${later(604_800)}
      from memberships where org_id = ${owner.orgId} and user_id = ${owner.id}`
    return { id, cookie: `atrium_session=${token}` }
  }

  /** Includes its folder. If deleted, both are in the trash. */
  async function project(creator: Person, options: ProjectOptions = {}) {
    const { orgId } = creator
    const { name = `Project ${randomHex(3)}`, visibility = 'team', deleted = false } = options
    const [first] = await sql<
      { id: string }[]
    >`select min(id::text) as id from workspaces where org_id = ${orgId}`
    const workspaceIds = options.workspaceIds ?? [first!.id]
    const [id, folderId, slug, at] = [newId(), newId(), `project-${randomHex(6)}`, now()]
    await sql`
      insert into projects (org_id, id, workspace_id, user_id, name, slug, search_key, sort_key, visibility, active_at,
        changed_at, created_at, updated_at, deleted_at)
      values (${orgId}, ${id}, ${workspaceIds[0]!}, ${creator.id}, ${name}, ${slug}, ${name.toLowerCase()},
        ${name.toLowerCase()}, ${visibility}, ${at}, ${at}, ${at}, ${at}, ${deleted ? at : null})`
    await sql`
      insert into project_workspaces (org_id, project_id, workspace_id, listed, sort_key, active_at, created_at)
      select ${orgId}, ${id}, unnest(${workspaceIds}::uuid[]), ${visibility === 'team' && !deleted}, ${name.toLowerCase()},
        ${at}, ${at}`
    await sql`
      insert into folders (org_id, id, parent_id, path, project_id, trashed_by)
      values (${orgId}, ${folderId}, ${orgId}, ${[orgId, folderId]}, ${id}, ${deleted ? folderId : null})`
    await sql`
      insert into files (org_id, id, parent_id, source, name, sort_key, search_key, mime_type, protected, created_by,
        created_at, updated_at, deleted_at, trashed_from)
      values (${orgId}, ${folderId}, ${orgId}, 'folder', ${name}, ${name.toLowerCase()}, ${name.toLowerCase()},
        'inode/directory', true, ${creator.id}, ${at}, ${at}, ${deleted ? at : null}, ${deleted ? sql`'[]'` : null})`
    return { id, slug, name, folderId, orgId, workspaceIds }
  }

  async function workspace(org: Pick<Organization, 'id'>, name = `Workspace ${randomHex(3)}`) {
    const id = newId()
    await sql`
      insert into workspaces (org_id, id, name, created_at, updated_at)
      values (${org.id}, ${id}, ${name}, ${now()}, ${now()})`
    return id
  }

  /** Null removes the user. */
  async function setWorkspaceRole(
    { orgId, id }: Person,
    workspaceId: string,
    role: 'editor' | 'viewer' | null,
  ) {
    await sql`delete from workspace_members where org_id = ${orgId} and workspace_id = ${workspaceId} and user_id = ${id}`
    if (role !== null) {
      await sql`
        insert into workspace_members (org_id, workspace_id, user_id, role, created_at)
        values (${orgId}, ${workspaceId}, ${id}, ${role}, ${now()})`
    }
  }

  return { organization, person, join, key, session, project, workspace, setWorkspaceRole }
}
