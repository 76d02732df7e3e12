import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { app } from '../../../frame/root-route.tsx'
import { textParams } from '../../../state/text-params.ts'

const skills = createRoute({ getParentRoute: () => app, path: 'skills', staticData: { title: 'Skills' } })

const list = createRoute({
  getParentRoute: () => skills,
  path: '/',
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'q'),
  component: lazyRouteComponent(() => import('./skills-page.tsx'), 'SkillsPage'),
})

const skill = createRoute({
  getParentRoute: () => skills,
  path: '$id',
  staticData: { title: 'Skill' },
  // `file` is the path of the open file; `panel` is `versions` while they are open.
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'file', 'panel'),
  component: lazyRouteComponent(() => import('./skill-page.tsx'), 'SkillPage'),
})

export const skillsRoutes = skills.addChildren([list, skill])
