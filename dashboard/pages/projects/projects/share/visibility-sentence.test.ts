import { expect, test } from 'vitest'
import type { ProjectDetails } from '../../../../api/projects.ts'
import type { Share } from './sharing-queries.ts'
import { visibilitySentence } from './visibility-sentence.ts'

const project = (visibility: 'team' | 'private', ...workspaceNames: string[]) =>
  ({ visibility, sharedWorkspaces: workspaceNames.map((name) => ({ id: name, name })) }) as ProjectDetails
const share = (fields: Partial<Share>) =>
  ({ access: 'view', hasPassword: false, expiresAt: null, ...fields }) as Share

test.each<[string, ProjectDetails, Share | null, boolean]>([
  ['Everyone in General and all admins can see this project.', project('team'), null, false],
  [
    'Everyone in General and Research, and all admins, can see this project.',
    project('team', 'Research'),
    null,
    true,
  ],
  ['Only you can see this project.', project('private'), null, true],
  [
    'Only you can see this project. Anyone with the share link can view its canvas.',
    project('private'),
    share({}),
    true,
  ],
  [
    'Only its creator can see this project. Anyone with the share link and its password can edit its canvas.',
    project('private'),
    share({ access: 'edit', hasPassword: true }),
    false,
  ],
  [
    'Only you can see this project. Anyone with the share link can comment on its canvas.',
    project('private'),
    share({ access: 'comment' }),
    true,
  ],
  [
    'Only you can see this project.',
    project('private'),
    share({ expiresAt: '2020-01-01T00:00:00.000Z' }),
    true,
  ],
])('describes the visibility: %s', (sentence, projectDetails, shareLink, isCreator) => {
  expect(
    visibilitySentence({ project: projectDetails, share: shareLink, primaryWorkspace: 'General', isCreator }),
  ).toBe(sentence)
})
