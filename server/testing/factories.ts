import type { Role } from '../../contract/accounts.ts'
import type { Scope } from '../../contract/scopes.ts'
import type { Pool } from '../database/database.ts'
import { sha256 } from '../security/digest.ts'
import { newId } from '../security/ids.ts'
import { hashPassword } from '../security/passwords.ts'
import { randomHex, randomToken } from '../security/random.ts'

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
}

/** Builds exactly the world a test needs, by SQL, without going through what is being tested. */
export function createFactories(sql: Pool, now: () => Date) {
  async function organization(name = `Org ${randomHex(3)}`): Promise<Organization> {
    const id = newId()
    const workspaceId = newId()
    await sql`insert into organizations (id, name, created_at, updated_at) values (${id}, ${name}, ${now()}, ${now()})`
    await sql`
      insert into workspaces (org_id, id, name, created_at, updated_at)
      values (${id}, ${workspaceId}, 'General', ${now()}, ${now()})`
    return { id, name, workspaceId }
  }

  async function person(org: Organization, options: PersonOptions = {}): Promise<Person> {
    const id = newId()
    const name = options.name ?? `Person ${randomHex(3)}`
    const email = `${randomHex(6)}@example.com`
    const hash = options.password ? await hashPassword(options.password) : null
    await sql`
      insert into users (id, email, name, password_hash, is_operator, created_at, updated_at)
      values (${id}, ${email}, ${name}, ${hash}, ${options.operator ?? false}, ${now()}, ${now()})`
    return join({ id, email, name, orgId: org.id }, org, options.role)
  }

  /** The same person as a member of one more organization. */
  async function join(person: Person, org: Organization, role: Role = 'member'): Promise<Person> {
    await sql`
      insert into memberships (org_id, user_id, role, default_workspace_id, created_at)
      values (${org.id}, ${person.id}, ${role}, ${org.workspaceId}, ${now()})`
    await sql`
      insert into workspace_members (org_id, workspace_id, user_id, role, created_at)
      values (${org.id}, ${org.workspaceId}, ${person.id}, 'editor', ${now()})`
    return { ...person, orgId: org.id }
  }

  /** The key itself, as its owner would send it. */
  async function key(owner: Person, scopes: Scope[] = ['models:read']): Promise<{ id: string; key: string }> {
    const id = newId()
    const value = `atrium_test_${randomHex(24)}`
    await sql`
      insert into api_keys (org_id, id, user_id, name, prefix, last_four, scopes, hash, created_at)
      values (${owner.orgId}, ${id}, ${owner.id}, 'test key', 'atrium_test_', ${value.slice(-4)}, ${scopes},
        ${sha256(value)}, ${now()})`
    return { id, key: value }
  }

  /** The cookie of a browser session, stepped up unless told otherwise. */
  async function session(
    owner: Person,
    options: { steppedUp?: boolean } = {},
  ): Promise<{ id: string; cookie: string }> {
    const id = newId()
    const token = randomToken(32)
    const later = (seconds: number) => new Date(now().getTime() + seconds * 1000)
    const stepUpUntil = (options.steppedUp ?? true) ? later(600) : null
    await sql`
      insert into sessions (id, token_hash, user_id, org_id, step_up_until, address, created_at, last_seen_at, expires_at)
      values (${id}, ${sha256(token)}, ${owner.id}, ${owner.orgId}, ${stepUpUntil}, '127.0.0.1', ${now()}, ${now()},
        ${later(604_800)})`
    return { id, cookie: `atrium_session=${token}` }
  }

  return { organization, person, join, key, session }
}
