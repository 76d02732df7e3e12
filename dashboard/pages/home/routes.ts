import { createRoute } from '@tanstack/react-router'
import { t } from '../../../contract/text.ts'
import { app } from '../../frame/root-route.tsx'
import { HomePage } from './home-page.tsx'

export const home = createRoute({
  getParentRoute: () => app,
  path: '/',
  staticData: { title: t`Home` },
  component: HomePage,
})
