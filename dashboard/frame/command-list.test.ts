import { expect, test } from 'vitest'
import type { Session } from '../api/session.ts'
import { commandsFor, paletteCommand } from './command-list.ts'

const ROLES = ['member', 'admin', 'owner'] as const

test.each(ROLES.flatMap((role) => [false, true].map((operator) => ({ role, operator }))))(
  'no two shortcuts collide for the role $role, operator $operator',
  ({ role, operator }) => {
    const session = { role, user: { operator } } as Pick<Session, 'user' | 'role'>
    const options = { canCreateProjects: true, navigate: async () => {}, signOut: () => {} }
    const keys = [paletteCommand, ...commandsFor(session, options)].flatMap(({ keys = [] }) => keys)
    expect(keys.length).toBeGreaterThan(20)
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([])
  },
)
