import { Link } from '@tanstack/react-router'
import { Compass } from 'lucide-react'
import { buttonClass } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'

export function NotFoundPage() {
  return (
    <Empty
      page
      icon={Compass}
      title="There is no page at this address"
      action={
        <Link to="/" className={buttonClass()}>
          Go home
        </Link>
      }
    >
      The link is mistyped, or what it led to has moved.
    </Empty>
  )
}
