import { beforeAll, describe, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

/** Without a language model, a project without a name is “Untitled project”. */
async function createUnnamed(visibility: 'team' | 'private' = 'team') {
  const { client } = await app.newUser()
  const create = () => client.projects.create({ description: 'For autumn', visibility })
  return { projects: client.projects, create, project: await create() }
}

describe('slug of an untitled project', () => {
  test('follows the first name, then stays', async () => {
    const { projects, project } = await createUnnamed()
    expect(project).toMatchObject({ name: 'Untitled project', slug: 'untitled-project' })
    expect((await projects.update({ id: project.id, emoji: '🚀' })).slug).toBe('untitled-project')
    expect((await projects.update({ id: project.slug, name: 'Launch plan' })).slug).toBe('launch-plan')
    expect((await projects.update({ id: 'launch-plan', name: 'Landing plan' })).slug).toBe('launch-plan')
    expect(await projects.get({ id: 'launch-plan' })).toMatchObject({ id: project.id, name: 'Landing plan' })
    await expect(projects.get({ id: 'untitled-project' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('gets a number if another project has the slug, even with concurrent renames', async () => {
    const { projects, create, project } = await createUnnamed()
    await projects.create({ name: 'Plan' })
    const others = [await create(), await create(), await create()]
    const renamed = await Promise.all(
      [project, ...others].map(({ id }) => projects.update({ id, name: 'Plan' })),
    )
    expect(renamed.map(({ slug }) => slug).toSorted()).toEqual(['plan-2', 'plan-3', 'plan-4', 'plan-5'])
    for (const { id, slug } of renamed) expect((await projects.get({ id: slug })).id).toBe(id)
  })

  test('reveals no private name', async () => {
    const { projects, project } = await createUnnamed('private')
    const { slug } = await projects.update({ id: project.id, name: 'Quiet plan' })
    expect(slug).toMatch(/^quiet-plan-[0-9a-f]{8}$/)
  })

  test('stays if the project was created with a name', async () => {
    const { projects } = await createUnnamed()
    const { id } = await projects.create({ name: 'Launch plan' })
    await projects.update({ id, name: 'Untitled project' })
    expect((await projects.update({ id, name: 'Landing plan' })).slug).toBe('launch-plan')
  })
})
