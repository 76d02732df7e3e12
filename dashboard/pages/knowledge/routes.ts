import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { t } from '../../../contract/text.ts'
import { app } from '../../frame/root-route.tsx'
import { settings } from '../../frame/settings-routes.ts'
import { textParams } from '../../state/text-params.ts'

const memory = createRoute({ getParentRoute: () => app, path: 'memory', staticData: { title: t`Memory` } })

const memoryList = createRoute({
  getParentRoute: () => memory,
  path: '/',
  // `space` is a project or `org`. `id` opens a memory beside the list.
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'q', 'space', 'id'),
  component: lazyRouteComponent(() => import('./memory/memory-page.tsx'), 'MemoryPage'),
})

const proposedMemory = createRoute({
  getParentRoute: () => memory,
  path: 'proposed',
  staticData: { title: t`Proposed memory` },
  component: lazyRouteComponent(() => import('./memory/proposed-page.tsx'), 'ProposedPage'),
})

export const memoryRoutes = memory.addChildren([memoryList, proposedMemory])

const knowledge = createRoute({
  getParentRoute: () => app,
  path: 'knowledge',
  staticData: { title: t`Knowledge` },
})

const sourceList = createRoute({
  getParentRoute: () => knowledge,
  path: '/',
  // `project` limits the list. `source` opens beside it. `add` opens the form, as after creating a first project.
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'project', 'source', 'add'),
  component: lazyRouteComponent(() => import('./sources/sources-page.tsx'), 'SourcesPage'),
})

const retrieval = createRoute({
  getParentRoute: () => knowledge,
  path: 'test',
  staticData: { title: t`Test retrieval` },
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'q', 'project'),
  component: lazyRouteComponent(() => import('./retrieval/retrieval-page.tsx'), 'RetrievalPage'),
})

export const knowledgeRoutes = knowledge.addChildren([sourceList, retrieval])

const skills = createRoute({ getParentRoute: () => app, path: 'skills', staticData: { title: t`Skills` } })

const skillList = createRoute({
  getParentRoute: () => skills,
  path: '/',
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'q'),
  component: lazyRouteComponent(() => import('./skills/skills-page.tsx'), 'SkillsPage'),
})

const skill = createRoute({
  getParentRoute: () => skills,
  path: '$id',
  staticData: { title: t`Skill` },
  // `file` is the open file's path. `panel` is `versions` while they're open.
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'file', 'panel'),
  component: lazyRouteComponent(() => import('./skills/skill-page.tsx'), 'SkillPage'),
})

export const skillsRoutes = skills.addChildren([skillList, skill])

export const webSearchSettings = createRoute({
  getParentRoute: () => settings,
  path: 'organization/web-search',
  staticData: { title: t`Web search` },
  component: lazyRouteComponent(() => import('./web-search/web-search-page.tsx'), 'WebSearchPage'),
})
