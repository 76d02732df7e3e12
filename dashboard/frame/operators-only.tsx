import { Link, Outlet } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { useSession } from '../api/session.ts'
import { buttonClass } from '../components/button.tsx'
import { Empty } from '../components/empty.tsx'

/** Shows its child pages to operators only. */
export function OperatorsOnly() {
  const { user } = useSession()
  if (user.operator) return <Outlet />
  return (
    <Empty
      page
      icon={Lock}
      title="Operators only"
      action={
        <Link to="/" className={buttonClass()}>
          Go home
        </Link>
      }
    >
      {user.email} does not have operator access. Another operator can grant it.
    </Empty>
  )
}
