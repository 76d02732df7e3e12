import { Outlet } from '@tanstack/react-router'
import { OperatorsOnly } from '../states/operators-only.tsx'
import { SettingsNavigation } from './settings-navigation.tsx'

/** The settings, with their navigation beside them, or above them on narrow screens. */
export function SettingsLayout() {
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col lg:flex-row">
      <SettingsNavigation />
      <Outlet />
    </div>
  )
}

/** The settings of the installation. */
export function OperatorLayout() {
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col lg:flex-row">
      <SettingsNavigation />
      <OperatorsOnly />
    </div>
  )
}
