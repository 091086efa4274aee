"""Diagonals: read, made into matrices, filled, added up."""

from tests.support.parity.kit import Family

cases = Family("tensor_diagonal")

cases.calls(
    """
    paddle.diag(T([1.,2.]),1,padding_value=7)
    paddle.diag(T(R(3,4)),-1)
    paddle.diag(T(3.))
    paddle.diag(T(R(2,2,2)))
    paddle.diag(T([1,2]),padding_value=1.5)
    G(paddle.diag,R(3))
    G(paddle.diag,R(3,4),offset=1)
    paddle.diag_embed(T([1.,2.]),1,1,0)
    paddle.diag_embed(T(R(2,2)),0,0,2)
    paddle.diag_embed(T([1.,2.]),0,1,1)
    paddle.diag_embed(T([1.,2.]),0,3,1)
    paddle.diagflat(T(R(2,2)),1)
    paddle.diagflat(T(3.))
    paddle.diagonal(T(R(2,3)),5)
    paddle.diagonal(T(R(2,3,2)),1,0,2)
    paddle.diagonal(T(R(2,3)),0,0,0)
    paddle.diagonal(T(R(3)))
    G(paddle.diagonal,R(2,3,2),offset=-1,axis1=1,axis2=2)
    G(paddle.Tensor.trace,R(2,3,2),offset=0,axis1=0,axis2=2)
    T([[1,2],[3,4]],"int32").trace()
    T(R(3)).trace()
    T(R(2,3)).trace(0,0,0)
    paddle.diagonal_scatter(T(R(3,3)),T(R(3)),1)
    T(R(3,4)).fill_diagonal_(2.0,1)
    T(R(3,4)).fill_diagonal_(2.0,-1)
    T(R(4,3)).fill_diagonal_(2.0,1)
    T(R(5,2)).fill_diagonal_(2.0,0,True)
    T(R(7,2)).fill_diagonal_(2.0,1,True)
    T(R(2,2,2)).fill_diagonal_(2.0)
    G(lambda x:(x*1).fill_diagonal_(2.0),R(3,3))
    T(R(3,4)).fill_diagonal_tensor_(T(R(3)))
    (lambda x:(paddle.diagonal(x).add_(T([10,10])),x))(T([[1,2],[3,4]]))
    """
)
