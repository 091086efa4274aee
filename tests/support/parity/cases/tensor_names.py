"""Second names, variants in place, questions, new tensors, views by steps."""

from tests.support.parity.kit import Family

cases = Family("tensor_names")

cases.calls(
    """
    paddle.eq(T([1,2]),T([1,3])), paddle.gt(T([1,2]),T([1,1])), T([1]).lt(T([2])), T([1,2]).ne(T([1,1]))
    paddle.div(T([7]),T([2])), paddle.true_divide(T([7.]),T([2.]))
    paddle.cat([T([1]),T([2])]), paddle.concatenate([T([1]),T([2])],0)
    paddle.clamp(T([1.,5.]),min=2.,max=3.), paddle.reverse(T([1,2]),0), paddle.bitwise_invert(T([1]))
    paddle.take_along_dim(T([[1,2]]),T([[1]]),1), paddle.ger(T([1,2]),T([3,4]))
    paddle.swapdims(T([[1,2]]),[1,0])
    T([1.]).new_zeros([2]), T([1]).new_ones([1,2]), T([1]).new_full([2],3.5,dtype='float32')
    paddle.tril_indices(3,3,0), paddle.tril_indices(2,3,1,dtype='int32'), paddle.triu_indices(3,offset=-1)
    paddle.tril_indices(2.5,3)
    paddle.logspace(0,2,3), paddle.logspace(0,3,4,base=2,dtype='int64')
    paddle.range(1,5), paddle.range(0,1,.5)
    paddle.vander(T([1,2,3])), paddle.vander(T([1.,2.]),n=3,increasing=True)
    G(paddle.vander,R(3))
    paddle.vander(T([[1]]))
    paddle.is_empty(T([])), paddle.is_empty(T([1.])), paddle.is_complex(T([1.])), paddle.is_integer(T([1]))
    paddle.is_complex([1.])
    paddle.tolist(T([[1,2]])), T([1.]).type_as(T([1])), T([1.5]).byte(), T([1.5]).char(), T([1.5]).short()
    T([1.,2.]).apply(lambda x: x*2), T([1.,2.]).apply_(lambda x: x*2)
    paddle.to_tensor([1.],stop_gradient=False).apply(lambda x: x)
    T([1.]).requires_grad_().stop_gradient
    T([1,2,3]).split_with_sizes([1,2]), T([1,2]).repeat(2)
    T([[1,2],[3,4]]).get_strides(), T([1]).is_dense(), T([1]).is_same_shape(T([2]))
    paddle.pi, paddle.inf, paddle.e, paddle.newaxis
    paddle.abs_(T([-1.])), paddle.acos_(T([1.])), paddle.cumsum_(T([1,2])), paddle.t_(T([[1,2]]))
    paddle.transpose_(T([[1,2]]),[1,0]), paddle.bitwise_and_(T([3]),T([1]))
    paddle.equal_(T([1.,2.]),T([1.,3.])), paddle.less_than_(T([1]),T([2])), paddle.logical_xor_(T([True]),T([False]))
    paddle.where_(T([True]),T([1.]),T([2.]))
    paddle.cumprod_(T([1.,2.]),0), paddle.mod_(T([5]),T([3])), paddle.addmm_(T([[1.]]),T([[2.]]),T([[3.]]))
    (lambda x:(paddle.as_strided(x,[2],[2]).zero_(),x))(T([1,2,3]))
    paddle.unfold(T([1,2]),0,3,1)
    T([1,2]).add_n(), paddle.clone(T([1.]))
    """
)
