import { Link, Outlet } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { useSession } from '../../api/session.ts'
import { buttonClass } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'

/** Lets operators through, and tells everybody else why not. */
export function OperatorsOnly() {
  const { user } = useSession()
  if (user.operator) return <Outlet />
  return (
    <Empty
      page
      icon={Lock}
      title="This page is for operators"
      action={
        <Link to="/" className={buttonClass()}>
          Go home
        </Link>
      }
    >
      Operators run this server, and {user.email} is not one of them. Only a platform admin can change that.
    </Empty>
  )
}
