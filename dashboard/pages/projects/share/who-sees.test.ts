import { expect, test } from 'vitest'
import type { ProjectDetails } from '../../../api/projects.ts'
import type { Share } from './sharing-queries.ts'
import { whoSees } from './who-sees.ts'

const project = (visibility: 'team' | 'private', ...shared: string[]) =>
  ({ visibility, sharedWorkspaces: shared.map((name) => ({ id: name, name })) }) as ProjectDetails
const share = (rest: Partial<Share>) =>
  ({ access: 'view', hasPassword: false, expiresAt: null, ...rest }) as Share

test.each<[string, ProjectDetails, Share | null, boolean]>([
  ['Everybody in General and all admins see this project.', project('team'), null, false],
  [
    'Everybody in General and Research, and all admins, see this project.',
    project('team', 'Research'),
    null,
    true,
  ],
  ['Only you see this project.', project('private'), null, true],
  [
    'Only you see this project; whoever has the share link sees its canvas too.',
    project('private'),
    share({}),
    true,
  ],
  [
    'Only its creator sees this project; whoever knows the share link and its password sees and changes its canvas too.',
    project('private'),
    share({ access: 'edit', hasPassword: true }),
    false,
  ],
  ['Only you see this project.', project('private'), share({ expiresAt: '2020-01-01T00:00:00.000Z' }), true],
])('%s', (sentence, of, by, isMine) => {
  expect(whoSees({ project: of, share: by, home: 'General', isMine })).toBe(sentence)
})
