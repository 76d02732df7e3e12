/** Each extra chunk adds bytes to the first page. */
export { NotificationsPage } from '../notification-settings/notifications-page.tsx'
export { UnsubscribePage } from '../unsubscribe/unsubscribe-page.tsx'
export { InboxPage } from './inbox-page.tsx'
