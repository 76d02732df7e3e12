declare module 'virtual:routes' {
  const routes: Record<string, Record<string, string>>
  export default routes
}

declare module 'virtual:*-routes' {
  const routes: Record<string, Record<string, string>>
  export default routes
}
