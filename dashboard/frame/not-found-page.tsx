import { Link } from '@tanstack/react-router'
import { Compass } from 'lucide-react'
import { buttonClass } from '../components/button.tsx'
import { Empty } from '../components/empty.tsx'

export function NotFoundPage() {
  return (
    <Empty
      page
      icon={Compass}
      title="Page not found"
      action={
        <Link to="/" className={buttonClass()}>
          Go home
        </Link>
      }
    >
      Check the URL, or go back home.
    </Empty>
  )
}
