/** Requirements for every JWT: HS256 only, claims `sub` and `exp`; clocks may differ by 5 seconds. */
export const JWT_OPTIONS = {
  algorithms: ['HS256'],
  requiredClaims: ['sub', 'exp'],
  clockTolerance: 5,
};
