"""Products of every element with every, and distances."""

from tests.support.parity.kit import Family

cases = Family("tensor_products")

cases.calls(
    """
    paddle.cross(T([1.,2,3]),T([3.,2,1]))
    G(paddle.cross,R(3,3),R(3,3,seed=2),axis=1)
    paddle.cross(T([1.,2]),T([3.,2]))
    G(paddle.kron,R(2,2),R(2,3,seed=2))
    G(paddle.kron,R(2),R(2,1,seed=2))
    G(paddle.mv,R(2,3),R(3))
    paddle.mv(T([1.]),T([1.]))
    G(paddle.tensordot,R(2,3),R(3,2),axes=1)
    paddle.tensordot(T(R(2,3)),T(R(2,3)),axes=[[0,1],[0,1]])
    paddle.tensordot(T(R(2,3)),T(R(2,3)),axes=[0,1])
    paddle.dist(T([[1.,2]]),T([[0.],[1]]),p=0), paddle.dist(T([1.]),T([3.]),p=inf)
    G(paddle.dist,R(2,2),R(2,seed=3),p=1)
    G(paddle.dist,R(2,2),R(2,seed=3),p=2)
    G(paddle.cdist,R(2,3),R(2,3,seed=2))
    G(paddle.cdist,R(2,3),R(2,3,seed=2),p=1.)
    paddle.cdist(T([[1.,2]]),T([[0.,2]]),p=0)
    paddle.cdist(T([1.]),T([1.]))
    G(paddle.pdist,R(3,2))
    G(paddle.baddbmm,R(2,2,2),R(2,2,3),R(2,3,2),beta=.5,alpha=2.)
    """
)
