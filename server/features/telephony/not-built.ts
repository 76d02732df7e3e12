export const notBuilt = (): never => {
  throw new Error('This part of telephony is not built yet')
}
